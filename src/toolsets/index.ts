export { books } from './books/index.ts';
export { clerk } from './clerk/index.ts';
export { files } from './files/index.ts';
export { oj } from './oj/index.ts';
