/** Returns a function that makes the value at its first call, and returns the same from then on. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** As `once`, for each argument. It keeps what it made, so the arguments come from the code, not from requests. */
export function onceEach<Key, T>(make: (key: Key) => T): (key: Key) => T {
  const made = new Map<Key, () => T>();
  return (key) => {
    const value = made.get(key) ?? once(() => make(key));
    made.set(key, value);
    return value();
  };
}
