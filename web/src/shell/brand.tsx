/** A gate in an arch. */
export function Brand({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="var(--mantine-primary-color-filled)" />
      <path
        d="M8.5 25V14.5a7.5 7.5 0 0 1 15 0V25M8.5 25h15M13 25v-9.2a3 3 0 0 1 6 0V25M16 25v-6"
        fill="none"
        stroke="#fff"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
