/** Returns a function that computes the value at its first call and caches it. A rejected promise is not cached. */
export function memoize<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    if (made !== undefined) return made.value;
    const value = make();
    made = { value };
    if (value instanceof Promise) {
      value.catch(() => {
        made = undefined;
      });
    }
    return value;
  };
}
