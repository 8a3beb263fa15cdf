-- The deletion of a category, and the count of its items, would otherwise read the categories of all items. The index costs an import
-- about 3 microseconds for each item. The prices and the availability of items have no index by storefront, because they have a
-- row for each storefront. Each index would cost an import into 200 storefronts 0.4 ms for each item, and only the rare deletion of a
-- storefront without items would use it.
CREATE INDEX item_categories_category_idx ON item_categories (category);
