import { close, fsync } from 'node:fs';

export async function syncDescriptor(descriptor: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    fsync(descriptor, error => (error === null ? resolve() : reject(error)));
  });
}

export async function closeDescriptor(descriptor: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    close(descriptor, error => (error === null || error === undefined ? resolve() : reject(error)));
  });
}
