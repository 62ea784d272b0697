import { groupsOfFour } from "../../core/groups-of-four.ts";

/** A long number in groups of four, as people read it out; what is copied has no gaps. */
export const Grouped = ({ children }: { children: string }) => (
  <span class="grouped">
    {groupsOfFour(children).map((part, at) => (
      <span key={at}>{part}</span>
    ))}
  </span>
);
