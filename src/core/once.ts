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

/** As `once`, for each object, by its identity and for as long as it is in use. */
export function onceFor<One extends object, T>(make: (one: One) => T): (one: One) => T {
  const made = new WeakMap<One, { value: T }>();
  return (one) => {
    let known = made.get(one);
    if (known === undefined) {
      known = { value: make(one) };
      made.set(one, known);
    }
    return known.value;
  };
}

/** As `onceFor`, for each two objects: many rules ask the same about a person and a day. */
export function onceForBoth<One extends object, Other extends object, T>(
  make: (one: One, other: Other) => T,
): (one: One, other: Other) => T {
  const withOther = onceFor((other: Other) => onceFor((one: One) => make(one, other)));
  return (one, other) => withOther(other)(one);
}

/** As `once`, for each value of a record: the result has the same names, and makes a value when it is first read. */
export function onceRead<From, To>(
  record: Readonly<Record<string, From>>,
  make: (from: From, name: string) => To,
): Record<string, To> {
  const made = {};
  for (const [name, from] of Object.entries(record))
    Object.defineProperty(made, name, { enumerable: true, get: once(() => make(from, name)) });
  return made;
}
