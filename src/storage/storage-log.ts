/** What storage has to say to the operator. */
export interface StorageLog {
  warn(details: Record<string, unknown>, message: string): void;
  error(details: Record<string, unknown>, message: string): void;
}
