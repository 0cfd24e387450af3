/** The brand's layout and drawings. Constants, so that the build leaves out what the brand does not use (web/app/build/brand.ts). */
declare const __SHOP_HERO__: import('../domain/shop-brand.ts').HeroLayout
declare const __SHOP_DRAWINGS__: import('../domain/shop-brand.ts').ShopDrawings | null
