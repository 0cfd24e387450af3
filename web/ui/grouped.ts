/** 1234567 -> "1,234,567". By hand: making the browser's own formatter takes a phone as long as taking over a page. */
export function grouped(whole: number | string): string {
  return String(whole).replace(/\B(?=(\d{3})+$)/g, ',')
}
