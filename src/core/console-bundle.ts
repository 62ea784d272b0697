/** The console as the bundler makes it. Names of files contain the hash of their content. */
export interface ConsoleBundle {
  /** The script with which the page begins. */
  script: string;
  style: string;
  icon: string;
  /** The scripts that the first one imports. */
  preloads: readonly string[];
  /** The text of each file. */
  files: Readonly<Record<string, string>>;
}
