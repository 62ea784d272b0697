declare module "*/link-style.css" {
  const text: string;
  export default text;
}
