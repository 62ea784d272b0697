/** What the bundler takes besides scripts. */
declare module "*.css";
declare module "*.svg" {
  /** Its address. */
  const address: string;
  export default address;
}
