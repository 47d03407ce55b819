export function pathFilter(ending: string): RegExp;
