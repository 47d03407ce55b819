/** Makes the value when it is first asked for, and keeps it; a promise that was not kept is made anew the next time. */
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
