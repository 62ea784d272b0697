const closers = new Set<() => Promise<void>>();

/**
 * Has something closed when the running test ends. A hook at the top of a module would not do: files share their modules,
 * and so the hook would belong to the first of them.
 */
export const afterThisTest = (close: () => Promise<void>): void => void closers.add(close);

/** Called after each test (`preload.ts`). */
export async function closeAll(): Promise<void> {
  for (const close of closers) {
    closers.delete(close);
    await close();
  }
}
