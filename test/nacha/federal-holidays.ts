/**
 * The days on which the Federal Reserve Banks are closed besides weekends, as published on
 * https://www.federalreserve.gov/aboutthefed/k8.htm (last update: December 31, 2025). Holidays on a Saturday are left out:
 * the banks are open on the Friday before. July 4, 2027 is a Sunday, observed on July 5.
 */
export const closedDays: Readonly<Record<number, readonly string[]>> = {
  2026: [
    '2026-01-01',
    '2026-01-19',
    '2026-02-16',
    '2026-05-25',
    '2026-06-19',
    '2026-09-07',
    '2026-10-12',
    '2026-11-11',
    '2026-11-26',
    '2026-12-25',
  ],
  2027: [
    '2027-01-01',
    '2027-01-18',
    '2027-02-15',
    '2027-05-31',
    '2027-07-05',
    '2027-09-06',
    '2027-10-11',
    '2027-11-11',
    '2027-11-25',
  ],
  2028: [
    '2028-01-17',
    '2028-02-21',
    '2028-05-29',
    '2028-06-19',
    '2028-07-04',
    '2028-09-04',
    '2028-10-09',
    '2028-11-23',
    '2028-12-25',
  ],
}

/** The Fridays before holidays that fall on a Saturday. The Federal Reserve Banks are open. */
export const openFridays = ['2026-07-03', '2027-06-18', '2027-12-24', '2027-12-31', '2028-11-10']
