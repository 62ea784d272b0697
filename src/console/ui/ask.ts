/** A question that is asked in one place and answered in another, by a dialog. */
import { type ReadonlySignal, signal } from "@preact/signals";

export interface Ask<Question, Answer> {
  /** The question that waits for an answer. */
  readonly pending: ReadonlySignal<{ question: Question } | undefined>;
  /** Asks. While a question waits, all who ask get its answer. */
  put(question: Question): Promise<Answer>;
  answer(answer: Answer): void;
}

export function ask<Question, Answer>(): Ask<Question, Answer> {
  const pending = signal<{ question: Question } | undefined>(undefined);
  let waiting: PromiseWithResolvers<Answer> | undefined;
  return {
    pending,
    put(question) {
      waiting ??= Promise.withResolvers<Answer>();
      pending.value ??= { question };
      return waiting.promise;
    },
    answer(answer) {
      pending.value = undefined;
      waiting?.resolve(answer);
      waiting = undefined;
    },
  };
}
