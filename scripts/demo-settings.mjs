/** Settings of every demo. The bank is invented, so that batches of bank transfers leave in files: no bank has this number. */
export const demoSettings = {
  NET_RECEIVABLES: 'on',
  SECOND_APPROVAL_ABOVE: '400',
  TAX_FORM_THRESHOLD: '400',
  NACHA_DESTINATION: '123456780',
  NACHA_DESTINATION_NAME: 'Demo Bank',
  NACHA_ORIGIN: '1987654321',
  NACHA_COMPANY_NAME: 'Demo Shop',
  NACHA_COMPANY_ID: '1987654321',
}

/** With `--instant`. The server that imports demo/paypal.ts has its own PayPal, which knows this client. */
export const instantSettings = {
  PAYOUT_PROVIDER: 'paypal',
  PAYPAL_ENVIRONMENT: 'sandbox',
  PAYPAL_CLIENT_ID: 'test-client',
  PAYPAL_CLIENT_SECRET: 'test-secret-of-paypal',
}
