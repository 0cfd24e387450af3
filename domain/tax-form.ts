/** What the shop reports about a seller to the IRS, on form 1099-K. */

/** Nine digits, as a Social Security number or an employer's number, without separators. Not all zeros. */
export function taxpayerNumber(text: string): string | undefined {
  const digits = text.normalize('NFKC').replace(/[\s\p{Pd}]/gu, '')
  return /^\d{9}$/.test(digits) && !/^0+$/.test(digits) ? digits : undefined
}

/** States, territories and military addresses, as the postal service writes them. */
export const stateCodes = [
  ...[
    'AL',
    'AK',
    'AZ',
    'AR',
    'CA',
    'CO',
    'CT',
    'DE',
    'DC',
    'FL',
    'GA',
    'HI',
    'ID',
    'IL',
    'IN',
    'IA',
    'KS',
    'KY',
  ],
  ...[
    'LA',
    'ME',
    'MD',
    'MA',
    'MI',
    'MN',
    'MS',
    'MO',
    'MT',
    'NE',
    'NV',
    'NH',
    'NJ',
    'NM',
    'NY',
    'NC',
    'ND',
    'OH',
  ],
  ...['OK', 'OR', 'PA', 'RI', 'SC', 'SD', 'TN', 'TX', 'UT', 'VT', 'VA', 'WA', 'WV', 'WI', 'WY'],
  ...['AS', 'GU', 'MP', 'PR', 'VI', 'AA', 'AE', 'AP'],
]

export const ZIP_CODE = /^\d{5}(-\d{4})?$/
