declare module "*/verification-style.css" {
  const text: string;
  export default text;
}
