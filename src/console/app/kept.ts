/** Keeps what a function returns, by its argument: making a formatter takes as long as formatting a hundred values. */
export function kept<Value>(make: (name: string) => Value): (name: string) => Value {
  const made = new Map<string, Value>();
  return (name) => {
    const value = made.get(name) ?? make(name);
    made.set(name, value);
    return value;
  };
}
