/** An instant by its distance from now; the time itself is its title. */
import { formatDateTime, formatDistance } from "../app/format.ts";

export const When = ({ at }: { at: string }) => (
  <time class="distance" dateTime={at} title={formatDateTime(at)}>
    {formatDistance(at)}
  </time>
);
