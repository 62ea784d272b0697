/** The plan on paper: for each day a table whose head, with the date and the hours, is on each sheet. It is made when it is printed. */
import { render } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { PrintedDay, type PrintedDayProps } from "./printed-day.tsx";

interface PrintedDaysProps extends Omit<PrintedDayProps, "day"> {
  days: readonly string[];
}

export function PrintedDays(props: PrintedDaysProps) {
  const sheet = useRef<HTMLDivElement>(null);
  const shown = useRef(props);
  shown.current = props;
  useLayoutEffect(() => {
    const { current } = sheet;
    if (!current) return;
    const print = () => {
      const { days, ...rest } = shown.current;
      render(
        days.map((day) => <PrintedDay key={day} day={day} {...rest} />),
        current,
      );
    };
    const clear = () => render(null, current);
    addEventListener("beforeprint", print);
    addEventListener("afterprint", clear);
    return () => {
      removeEventListener("beforeprint", print);
      removeEventListener("afterprint", clear);
      clear();
    };
  }, []);
  return <div ref={sheet} class="printed" />;
}
