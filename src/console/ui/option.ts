/** What a combobox offers. */
export interface Option {
  value: string;
  label: string;
  /** Said beside the label, and found, too. */
  detail?: string;
  /** Found, and not shown. */
  also?: string;
}
