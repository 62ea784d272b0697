const closers = new Set<() => Promise<void>>();

/**
 * Registers a function to run when the current test ends. A hook at the top of a module does not work: test files share
 * modules, so the hook would belong to the first file.
 */
export const afterThisTest = (close: () => Promise<void>): void => void closers.add(close);

/** Called after each test (`preload.ts`). */
export async function closeAll(): Promise<void> {
  for (const close of closers) {
    closers.delete(close);
    await close();
  }
}
