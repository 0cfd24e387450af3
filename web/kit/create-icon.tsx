import { type ComponentProps, createElement } from 'react'

interface IconData {
  /** Its elements with their attributes. */
  node: readonly [name: string, attributes: Record<string, string>][]
}

/** Makes the components of lucide-react (web/app/build/slim.ts). Screen readers skip them: the text beside an icon says it all. */
export default function createIcon({ node }: IconData) {
  return ({ className = '', ...props }: ComponentProps<'svg'>) => (
    <svg
      aria-hidden="true"
      width={24}
      height={24}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...props}
      className={`lucide ${className}`}
    >
      {node.map(([name, attributes]) => createElement(name, attributes))}
    </svg>
  )
}
