/** Where now is: a line in each row, below its name and over its bars. The rows are not rendered for it. */
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { percent, type Scale } from "./scale.ts";

const MINUTE = 60_000;

export function useNow(body: RefObject<HTMLElement | null>, scale: Scale): void {
  useLayoutEffect(() => {
    const show = () => {
      const now = Date.now();
      const isShown = scale.spans.some(({ from, to }) => from <= now && now < to);
      body.current?.classList.toggle("has-now", isShown);
      if (isShown) body.current?.style.setProperty("--now", percent(scale.shareOf(now)));
    };
    show();
    const timer = setInterval(show, MINUTE);
    return () => clearInterval(timer);
  }, [scale]);
}
