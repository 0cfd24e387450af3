/** Saves bytes as a download with this name. */
export function saveFile({ bytes, name }: { bytes: Blob; name: string }): void {
  const href = URL.createObjectURL(bytes)
  Object.assign(document.createElement('a'), { href, download: name }).click()
  URL.revokeObjectURL(href)
}
