import type { NachaSettings } from '#server/platform/config/site.ts'

/** Invented: no bank has this routing number. */
export const testBank: NachaSettings = {
  destination: '123456780',
  destinationName: 'FIRST TEST BANK',
  origin: '1987654321',
  companyName: 'UNSPENT INC',
  companyId: '1987654321',
  entryDescription: 'PAYOUT',
  odfi: '12345678',
}
