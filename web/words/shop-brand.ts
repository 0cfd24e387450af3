import type { ShopBrand } from '#domain/shop-brand.ts'

declare const __SHOP_BRAND__: Omit<ShopBrand, 'claims' | 'openingHours'>

/** The brand that the app was built for (web/app/build/brand.ts). The landing page has its claims, web/chat/OpeningState.tsx its opening hours. */
export const shopBrand = __SHOP_BRAND__
