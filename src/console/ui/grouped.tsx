/** A long number in groups of four, as people read it out; what is copied has no gaps. */
export const Grouped = ({ children }: { children: string }) => (
  <span class="grouped">
    {(children.match(/.{1,4}/gu) ?? []).map((part, at) => (
      <span key={at}>{part}</span>
    ))}
  </span>
);
