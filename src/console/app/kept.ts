/**
 * Keeps what a function returns, by its argument: making a formatter takes as long as formatting a hundred values.
 *
 * @param most with so many it begins anew
 */
export function kept<Name, Value>(make: (name: Name) => Value, most = Number.POSITIVE_INFINITY): (name: Name) => Value {
  const made = new Map<Name, Value>();
  return (name) => {
    const known = made.get(name);
    if (known !== undefined) return known;
    if (made.size >= most) made.clear();
    const value = make(name);
    made.set(name, value);
    return value;
  };
}
