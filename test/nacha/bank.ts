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
  cutoff: 17 * 60,
}

/** The same bank in the settings of a server. */
export const bankSettings = {
  NACHA_DESTINATION: '123456780',
  NACHA_DESTINATION_NAME: 'FIRST TEST BANK',
  NACHA_ORIGIN: '1987654321',
  NACHA_COMPANY_NAME: 'UNSPENT INC',
  NACHA_COMPANY_ID: '1987654321',
}
