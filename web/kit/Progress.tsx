/** `share` is from 0 to 1. Uses the browser's element, whose width needs no inline style. */
export function Progress({ share, label }: { share: number; label: string }) {
  return (
    <progress
      value={share}
      max={1}
      aria-label={label}
      className="block h-2 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent [&::-webkit-progress-value]:transition-[inline-size] forced-colors:appearance-auto"
    />
  )
}
