export const hostileInputs: readonly { name: string; readonly content: (bytes: number) => string }[];
