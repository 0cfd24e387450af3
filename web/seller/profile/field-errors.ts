export { showAtFields } from '../../api/field-errors.ts'
