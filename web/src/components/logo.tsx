import "./logo.css";

interface LogoProps {
  /** As the API gives it; only its path is used, so that no other host is ever asked (WEB-4). */
  readonly url: string;
  readonly size?: number;
}

/** Beside a name that says the same: nothing for a screen reader. */
export function Logo({ url, size = 24 }: LogoProps) {
  const path = URL.parse(url, window.location.origin)?.pathname;
  return <img className="gh-logo" src={path} alt="" width={size} height={size} loading="lazy" decoding="async" />;
}
