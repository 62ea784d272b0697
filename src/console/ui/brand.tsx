import icon from "../icon.svg";

/** The windsock, and a name beside it. */
export const Brand = ({ name }: { name: string }) => (
  <div class="brand">
    <img src={icon} alt="" width="24" height="24" />
    <span>{name}</span>
  </div>
);
