-- Up Migration

-- Until then a variant that failed several times is not tried again, and the image itself is given in its place.
alter table image_variants add column rests_until timestamptz(3);
