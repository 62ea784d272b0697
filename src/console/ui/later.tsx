/** A part of a screen that is loaded when it is shown for the first time. */
import { signal } from "@preact/signals";
import type { ComponentType, FunctionComponent } from "preact";
import { useEffect } from "preact/hooks";
import { loadPart } from "../app/load-part.ts";
import { ProblemNotice, Skeleton } from "./states.tsx";

export function later<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): FunctionComponent<Props> {
  const loaded = signal<{ component: ComponentType<Props> } | undefined>(undefined);
  const problem = signal<unknown>(undefined);
  const begin = () =>
    loadPart(load).then(
      ({ default: component }) => {
        loaded.value = { component };
      },
      (error) => {
        problem.value = error;
      },
    );
  return function Later(props) {
    useEffect(() => {
      if (!loaded.value) void begin();
    }, []);
    if (loaded.value) {
      const { component: Component } = loaded.value;
      return <Component {...props} />;
    }
    return problem.value === undefined ? (
      <Skeleton />
    ) : (
      <ProblemNotice error={problem.value} retry={() => location.reload()} />
    );
  };
}
