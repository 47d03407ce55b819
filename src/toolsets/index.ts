export { oj } from './oj/index.ts';
