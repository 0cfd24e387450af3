import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { StaffBrand } from '#contract/brands.ts'
import { routes } from '#contract/routes.ts'
import { QUOTE_HOLDS_MINUTES } from '#domain/quote.ts'
import { Button } from '#web/kit/Button.tsx'
import { read } from '#web/wire/read.ts'
import { SearchField } from '../filters/SearchField.tsx'
import { useAddress } from '../lists/address-change.ts'
import { StaffScreen } from '../StaffScreen.tsx'
import { BrandDialog } from './BrandDialog.tsx'
import { BrandTable } from './BrandTable.tsx'

/** The catalogue: which cards are bought, and on which terms. A change counts at once, without a deploy. */
export default function Brands() {
  const [address, change] = useAddress()
  const q = (address.get('q') ?? '').trim()
  // Another administrator may have changed something since.
  const query = useQuery({ ...read(routes.staffBrands, {}), staleTime: 0 })
  const [edited, setEdited] = useState<StaffBrand | 'new'>()
  return (
    <StaffScreen
      title="Brands"
      intro={`A quote that a seller was shown holds for ${QUOTE_HOLDS_MINUTES} minutes after a change.`}
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <search className="flex flex-1">
          <SearchField
            label="Search brands"
            placeholder="Name, slug or category"
            value={q}
            onChange={(text) => change({ q: text })}
          />
        </search>
        <Button onClick={() => setEdited('new')} icon={<Plus aria-hidden="true" className="size-4" />}>
          Add brand
        </Button>
      </div>
      <BrandTable query={query} q={q} onEdit={setEdited} />
      <BrandDialog edited={edited} onClose={() => setEdited(undefined)} />
    </StaffScreen>
  )
}
