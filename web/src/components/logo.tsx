import "./logo.css";

interface LogoProps {
  /** As the API returns it. Only its path is used, so that no other host is contacted (WEB-4). */
  readonly url: string;
  readonly size?: number;
}

/** Decorative: it is always shown next to a name. */
export function Logo({ url, size = 24 }: LogoProps) {
  const path = URL.parse(url, window.location.origin)?.pathname;
  return <img className="gh-logo" src={path} alt="" width={size} height={size} loading="lazy" decoding="async" />;
}
