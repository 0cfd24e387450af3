/** The anchor of a heading. */
export const anchorOf = (title: string): string => title.toLowerCase().replaceAll(/[^a-z]+/g, '-')

/** The anchor of a shape that has a name. */
export const anchorOfShape = (name: string): string => `shape-${name}`

/** The name at the end of a reference into the components. */
export const nameAt = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)
