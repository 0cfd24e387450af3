import type { ShopBrand } from '#domain/shop-brand.ts'

declare const __SHOP_BRAND__: Omit<ShopBrand, 'claims'>

/** The brand that the app was built for (web/app/build/brand.ts). The landing page has its claims. */
export const shopBrand = __SHOP_BRAND__
