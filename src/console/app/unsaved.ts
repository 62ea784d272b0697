/** Forms with input that exists nowhere else. A reload of the page would lose it. */
import { computed, signal } from "@preact/signals";

const forms = signal<readonly object[]>([]);

export const hasUnsaved = computed(() => forms.value.length > 0);

/** @param form any object that stands for the form */
export function noteInput(form: object): void {
  if (!forms.peek().includes(form)) forms.value = [...forms.peek(), form];
}

/** The form was sent, or is gone. */
export function forgetInput(form: object): void {
  if (forms.peek().includes(form)) forms.value = forms.peek().filter((one) => one !== form);
}
