import { LRUCache } from "lru-cache";

/**
 * As `onceEach`, for texts that come from rows and requests: what was made of those that were used last is kept. So nobody may change it.
 *
 * @param most characters of the texts that are kept; what is made of them takes a few times that in memory
 */
export function remembered<T extends object>(most: number, make: (text: string) => T): (text: string) => T {
  const made = new LRUCache<string, T>({ maxSize: most, sizeCalculation: (_, { length }) => length + 1 });
  return (text) => {
    const value = made.get(text) ?? make(text);
    made.set(text, value);
    return value;
  };
}
