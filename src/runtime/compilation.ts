/**
 * How soon Bun compiles JavaScript to machine code. A start runs most of its code once or a few times: compiling that takes
 * more of the processor, and more memory, than interpreting it. Deno has no such setting.
 */

/** How much later than usual a function is compiled: practically never. At 32, the optimizing compiler still ran, and stayed in memory. */
const later = 1000;

/** For code that runs once. The server is slower until `compileAsUsual`. */
export const compileLater = (): void => scaleThresholds(later);

export const compileAsUsual = (): void => scaleThresholds(1);

function scaleThresholds(scale: number): void {
  if ("Bun" in globalThis) Bun.unsafe.setJITPolicy(scale);
}
