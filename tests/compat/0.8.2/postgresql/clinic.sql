SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE SCHEMA renyi_ledger;
CREATE SCHEMA witness;
CREATE FUNCTION renyi_ledger.continue_log() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  wrong bigint;
BEGIN
  SELECT a.entry INTO wrong FROM added a LEFT JOIN "renyi_ledger".entries p ON p.entry = a.entry - 1
    WHERE NOT pg_catalog.starts_with(a.text, CASE a.entry WHEN 0 THEN '{"entry":0,'
      ELSE '{"entry":' || a.entry || ',"previous":"' || coalesce(p.hash, '?') || '",' END) LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'entry % does not continue the log', wrong USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION renyi_ledger.refuse_rewriting() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF coalesce(pg_catalog.current_setting('renyi.migration', true), '') = TG_TABLE_SCHEMA
     AND pg_catalog.pg_has_role((SELECT relowner FROM pg_catalog.pg_class WHERE oid = TG_RELID), 'USAGE') THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'what a ledger has recorded is not changed or removed' USING ERRCODE = 'insufficient_privilege';
END $$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE renyi_ledger.cells (
    scope text NOT NULL COLLATE pg_catalog."C",
    cell text NOT NULL COLLATE pg_catalog."C",
    sums bytea NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE renyi_ledger.entries (
    entry bigint NOT NULL,
    hash text NOT NULL COLLATE pg_catalog."C",
    text text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    scope text NOT NULL COLLATE pg_catalog."C",
    person text NOT NULL COLLATE pg_catalog."C",
    "time" text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT entries_entry_check CHECK ((entry >= 0))
);
CREATE TABLE renyi_ledger.facts (
    name text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE renyi_ledger.outputs (
    ticket bigint NOT NULL,
    bytes bytea NOT NULL
);
CREATE TABLE renyi_ledger.schema_version (
    version bigint NOT NULL,
    applied timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE renyi_ledger.scopes (
    name text NOT NULL COLLATE pg_catalog."C",
    entry bigint NOT NULL,
    text text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE renyi_ledger.steps (
    scope text NOT NULL COLLATE pg_catalog."C",
    cell text NOT NULL COLLATE pg_catalog."C",
    step text NOT NULL COLLATE pg_catalog."C",
    count bigint NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE renyi_ledger.tickets (
    ticket bigint NOT NULL,
    state text NOT NULL COLLATE pg_catalog."C",
    entry bigint NOT NULL,
    scope text NOT NULL COLLATE pg_catalog."C",
    expires text NOT NULL COLLATE pg_catalog."C",
    secret text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT tickets_state_check CHECK ((state = ANY (ARRAY['reserved'::text, 'opened'::text, 'committed'::text, 'cancelled'::text, 'expired'::text])))
);
CREATE TABLE witness.witnessed (
    ledger text NOT NULL,
    entry bigint NOT NULL,
    hash text NOT NULL
);
INSERT INTO renyi_ledger.cells VALUES ('clinic/gdp', '|', '\x01000000000000000100000000000000010000000000903f020000000080943c010000000000903f020000000080943c00000000000000000000000000000000');
INSERT INTO renyi_ledger.cells VALUES ('pure', '|', '\x01000000000000000100000000000000000000000000d83f000000000000a83c000000000000d83f000000000000a83c00000000000000000000000000000000');
INSERT INTO renyi_ledger.cells VALUES ('tcdp', '|', '\x010000000000000001000000000000008014ae47e17a843f2385eb51b81e7b3c8014ae47e17a843f2385eb51b81e7b3c00000000000000000000000000000000');
INSERT INTO renyi_ledger.cells VALUES ('approx', '|', '\x01000000000000000300000000000000000000000000c83f010000000000a23c000000000000c83f010000000000a23c2c69a4292b1b603e2c69a4292b1b303b');
INSERT INTO renyi_ledger.cells VALUES ('training', '|', '\x01000000000000006400000000000000c147f5e38e3c803f8480317ccbfead3cc892e3dc09ad7f3f6cc8a8cc2aa9b23c208ef51d5391833fb4bf5c114513b23c2ce2621ffbed823f42c4fbf86a4db63cf20d291ea1518a3f242874795750b83ced30603c790a893f46a30474de7fbd3c1cda1015c398903f34aa336c1baebe3c94e14d01290f8f3fe0bcecabe34ac23c07c03e9f4e19943fbc08cc4f6e96c23cef521f40747e923f076669db0ec8c53c074f6d4fdc4f9b3f2fedf1869e5fc93c4546770a644b983f2a066c8bd19acc3c2fbf2cbc846aa13fe381b4c77e47d03cf38db2e0ffee9d3fce925416c19dd13c12fbe5a5165aa53fdf479a77bc31d43cd88087b0f2b5a13f7248265d85d6d43c8fb5ecd586e7ad3f40e5fda5deb7de3c338862b253fda63f0d3d4bf86206db3c6f3c320e92acb43f4568871bd627e63c7dbf9a49d903ac3fc6fed969f772e03cc1ae288fe08d10408335aacfdd333a3d988d70b50e68b03ff6062c50423ee33ceffc779889b3544051f543d4658e563deb0c40eed3b3b23f317c29e328e8e53c0d152d0e723f6540e96c749813055f3de2a23db095e7b43fa911f1eb4c73e83c63822cf4165b7540210de6571341673dfb554208de0eb93f3418f9471836ed3cca86873623f37f40886c17767800703df2339eed22ebbc3fb9b65d13d0caf03c0a06bfdb9c3b854084b3e35bdf4d743dfef5b7555443c03f980c0990d3cef23c7062517c88778a406d43d647aca9783deda1a774cdf4c13fb5226fafd4abf43c341e5c08457292405eb181025fbd803dfc1af84f930fc53f723037afd1fff73c4052a18f9fa4974030f73cd5a82f853d41c0f1703ddac73fde0fc0d550dffa3c3fb23d429a01a14080211875a2228e3d55cfa334a9b5cc3f41c103b45f85ff3cec1099f11cd9b240090888495f8aa03dc0fb1ec0ea2fd53fcccc7a9e3ec7053d19a6353f18c2c3407735e8556b4db13d7d411fa61fe0dc3fc3efb8c515c9063d24b9ffd1e635d440c2f210e68cb0c13df8b91835f74ce23fe95938125da8003d9ba10fa3a26fe440e90f6adc83e2d13d412ad5a9d3d0e53fc8ccb802d069f63c00000000000000000000000000000000');
INSERT INTO renyi_ledger.cells VALUES ('order', '|', '\x010000000000000064000000000000008fb5ecd586e7ad3f40e5fda5deb7de3c338862b253fda63f0d3d4bf86206db3c00000000000000000000000000000000');
INSERT INTO renyi_ledger.cells VALUES ('shares', '|', '\x01000000000000006400000000000000074f6d4fdc4f9b3f2fedf1869e5fc93c4546770a644b983f2a066c8bd19acc3c8fb5ecd586e7ad3f40e5fda5deb7de3c338862b253fda63f0d3d4bf86206db3c00000000000000000000000000000000');
INSERT INTO renyi_ledger.cells VALUES ('analysts', 'ana|', '\x01000000000000000100000000000000000000000000a03f0000000000008c3c000000000000a03f0000000000008c3c00000000000000000000000000000000');
INSERT INTO renyi_ledger.cells VALUES ('analysts/ana', '|', '\x01000000000000000100000000000000000000000000a03f0000000000008c3c000000000000a03f0000000000008c3c00000000000000000000000000000000');
INSERT INTO renyi_ledger.cells VALUES ('analysts', 'bob|', '\x01000000000000000100000000000000000000000000803f0000000000006c3c000000000000803f0000000000006c3c00000000000000000000000000000000');
INSERT INTO renyi_ledger.cells VALUES ('analysts/bob', '|', '\x01000000000000000100000000000000000000000000803f0000000000006c3c000000000000803f0000000000006c3c00000000000000000000000000000000');
INSERT INTO renyi_ledger.cells VALUES ('visits', '|2026-10', '\x01000000000000000100000000000000000000000000b03f0000000000009c3c000000000000b03f0000000000009c3c00000000000000000000000000000000');
INSERT INTO renyi_ledger.cells VALUES ('visits', '|*', '\x01000000000000000100000000000000000000000000903f0000000000007c3c000000000000903f0000000000007c3c00000000000000000000000000000000');
INSERT INTO renyi_ledger.cells VALUES ('clinic', '|', '\x04000000000000000500000000000000000000000000c13f0000000000e0b23c000000000000c13f0000000000e0b23c00000000000000000000000000000000');
INSERT INTO renyi_ledger.cells VALUES ('reserved', '|', '\x01000000000000000100000000000000000000000000a03f0000000000008c3c000000000000a03f0000000000008c3c00000000000000000000000000000000');
INSERT INTO renyi_ledger.entries VALUES (0, '249f5675764a73f37cb1ae31cc5bc95e2170d5d36d602a5024db483ea5d0ff94', '{"entry":0,"previous":"","time":"2026-11-19T21:01:21.724Z","request":{"verb":"init","key":"auto-18e98e05b979d606-c82-42-bf6e6faaee08a6be","renyi-ledger":1,"ledger":"419660e72c38f717fe2f1deecd022883","has_witness":true},"outcome":{"accepted":true}}', 'auto-18e98e05b979d606-c82-42-bf6e6faaee08a6be', '', '', '2026-11-19T21:01:21.724Z');
INSERT INTO renyi_ledger.entries VALUES (1, '50d11963e55367d2ba8be222b01fbefdb82dd7c92332427addc21c8236a6e3fe', '{"entry":1,"previous":"249f5675764a73f37cb1ae31cc5bc95e2170d5d36d602a5024db483ea5d0ff94","time":"2026-11-19T21:01:21.748Z","request":{"verb":"scope","key":"auto-18e98e05bae4db3e-c82-43-bf6e6faaee08a6be","person":"ana","comment":"für Köln","scope":"clinic","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"zcdp","rho":0.5},"cap":{"kind":"zcdp","rho":1}},"outcome":{"accepted":true}}', 'auto-18e98e05bae4db3e-c82-43-bf6e6faaee08a6be', 'clinic', 'ana', '2026-11-19T21:01:21.748Z');
INSERT INTO renyi_ledger.entries VALUES (2, '896d661f489f06af9edbae51c6af89819464c020aa7c25d960bef646f0a3fddd', '{"entry":2,"previous":"50d11963e55367d2ba8be222b01fbefdb82dd7c92332427addc21c8236a6e3fe","time":"2026-11-19T21:01:21.821Z","request":{"verb":"scope","key":"auto-18e98e05bc2e51cc-c82-44-bf6e6faaee08a6be","scope":"clinic/gdp","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"gdp","mu":0.5},"may_cancel":false},"outcome":{"accepted":true}}', 'auto-18e98e05bc2e51cc-c82-44-bf6e6faaee08a6be', 'clinic/gdp', '', '2026-11-19T21:01:21.821Z');
INSERT INTO renyi_ledger.entries VALUES (3, '6420a16548d197abfd70cb19ad3864d9617a751392efeeb0110293449aced2d3', '{"entry":3,"previous":"896d661f489f06af9edbae51c6af89819464c020aa7c25d960bef646f0a3fddd","time":"2026-11-19T21:01:21.838Z","request":{"verb":"scope","key":"auto-18e98e05c05ea569-c82-45-bf6e6faaee08a6be","scope":"pure","neighbors":"replace-one","unit":3,"budget":{"kind":"pure","epsilon":2}},"outcome":{"accepted":true}}', 'auto-18e98e05c05ea569-c82-45-bf6e6faaee08a6be', 'pure', '', '2026-11-19T21:01:21.838Z');
INSERT INTO renyi_ledger.entries VALUES (4, '406c11cfcf532e76828b9f7e6ae92532d22bcb79a11c2a1da91d59c9ccd34077', '{"entry":4,"previous":"6420a16548d197abfd70cb19ad3864d9617a751392efeeb0110293449aced2d3","time":"2026-11-19T21:01:21.841Z","request":{"verb":"scope","key":"auto-18e98e05c09fcb41-c82-46-bf6e6faaee08a6be","scope":"tcdp","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"tcdp","rho":0.5,"omega":10}},"outcome":{"accepted":true}}', 'auto-18e98e05c09fcb41-c82-46-bf6e6faaee08a6be', 'tcdp', '', '2026-11-19T21:01:21.841Z');
INSERT INTO renyi_ledger.entries VALUES (5, 'fa2519a64377a554a4b9f9ffb6f1c0a7533517ba1cd4791db671780fb4caa251', '{"entry":5,"previous":"406c11cfcf532e76828b9f7e6ae92532d22bcb79a11c2a1da91d59c9ccd34077","time":"2026-11-19T21:01:21.843Z","request":{"verb":"scope","key":"auto-18e98e05c0acfc78-c82-47-bf6e6faaee08a6be","scope":"approx","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"approx","epsilon":3,"delta":1e-06,"infinite_mass":1e-06}},"outcome":{"accepted":true}}', 'auto-18e98e05c0acfc78-c82-47-bf6e6faaee08a6be', 'approx', '', '2026-11-19T21:01:21.843Z');
INSERT INTO renyi_ledger.entries VALUES (6, '5fa20e6efff207d1c17c8f07835b3ddd24bbc4d7045892008aace5525f2a11ef', '{"entry":6,"previous":"fa2519a64377a554a4b9f9ffb6f1c0a7533517ba1cd4791db671780fb4caa251","time":"2026-11-19T21:01:21.859Z","request":{"verb":"scope","key":"auto-18e98e05c19ea219-c82-48-bf6e6faaee08a6be","scope":"training","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"curve","limits":[{"order":1.25,"epsilon":0.01982001383719076},{"order":1.5,"epsilon":0.023886321429711595},{"order":2,"epsilon":0.03212752040132343},{"order":2.5,"epsilon":0.04051935234254254},{"order":3,"epsilon":0.049069472478799246},{"order":4,"epsilon":0.06667957865683383},{"order":5,"epsilon":0.08503949158332899},{"order":6,"epsilon":0.10425736368014772},{"order":8,"epsilon":0.14601758388021313},{"order":10,"epsilon":0.20189554325572223},{"order":12,"epsilon":10.346379844814559},{"order":14,"epsilon":207.0131829196524},{"order":16,"epsilon":424.9566819387197},{"order":20,"epsilon":854.2327598910895},{"order":24,"epsilon":1277.9902423141896},{"order":28,"epsilon":1698.6289775206699},{"order":32,"epsilon":2117.3541084211024},{"order":40,"epsilon":2951.4185367598143},{"order":48,"epsilon":3782.8895533614977},{"order":64,"epsilon":5442.00321657728},{"order":128,"epsilon":12062.782653741118},{"order":256,"epsilon":25290.473572532483},{"order":512,"epsilon":51739.01641834388},{"order":1024,"epsilon":104632.70601239108}]}},"outcome":{"accepted":true}}', 'auto-18e98e05c19ea219-c82-48-bf6e6faaee08a6be', 'training', '', '2026-11-19T21:01:21.859Z');
INSERT INTO renyi_ledger.entries VALUES (7, '85edbaab1f3c9ddf472b24be540382ed3422768620c058ac259f3cfd957535e2', '{"entry":7,"previous":"5fa20e6efff207d1c17c8f07835b3ddd24bbc4d7045892008aace5525f2a11ef","time":"2026-11-19T21:01:21.876Z","request":{"verb":"scope","key":"auto-18e98e05c2878cc5-c82-49-bf6e6faaee08a6be","scope":"order","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"order","order":8,"epsilon":2}},"outcome":{"accepted":true}}', 'auto-18e98e05c2878cc5-c82-49-bf6e6faaee08a6be', 'order', '', '2026-11-19T21:01:21.876Z');
INSERT INTO renyi_ledger.entries VALUES (8, 'ca62f2128340ec1e598cc41e1a1832b1d3b7f8cd9fd84e0056d9d571a4da719b', '{"entry":8,"previous":"85edbaab1f3c9ddf472b24be540382ed3422768620c058ac259f3cfd957535e2","time":"2026-11-19T21:01:21.897Z","request":{"verb":"scope","key":"auto-18e98e05c3d15e2a-c82-4a-bf6e6faaee08a6be","scope":"shares","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"shares","epsilon":3,"shares":[{"order":4,"delta":4.999999999999996e-07},{"order":8,"delta":4.999999999999996e-07}]}},"outcome":{"accepted":true}}', 'auto-18e98e05c3d15e2a-c82-4a-bf6e6faaee08a6be', 'shares', '', '2026-11-19T21:01:21.897Z');
INSERT INTO renyi_ledger.entries VALUES (9, 'd03a08feef4079c18f39332d3e75f53633738a9f30a9c03567d915b3aebbda35', '{"entry":9,"previous":"ca62f2128340ec1e598cc41e1a1832b1d3b7f8cd9fd84e0056d9d571a4da719b","time":"2026-11-19T21:01:21.918Z","request":{"verb":"scope","key":"auto-18e98e05c5107e17-c82-4b-bf6e6faaee08a6be","scope":"analysts","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"zcdp","rho":0.25},"analysts_may_collude":false},"outcome":{"accepted":true}}', 'auto-18e98e05c5107e17-c82-4b-bf6e6faaee08a6be', 'analysts', '', '2026-11-19T21:01:21.918Z');
INSERT INTO renyi_ledger.entries VALUES (10, '29835bda2b0658bd24a3d70eb05ac6822708a26cbcb73d8539f3d1fe22cbbf7e', '{"entry":10,"previous":"d03a08feef4079c18f39332d3e75f53633738a9f30a9c03567d915b3aebbda35","time":"2026-11-19T21:01:21.966Z","request":{"verb":"scope","key":"auto-18e98e05c6d5f909-c82-4c-bf6e6faaee08a6be","scope":"analysts/ana","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"zcdp","rho":0.25}},"outcome":{"accepted":true}}', 'auto-18e98e05c6d5f909-c82-4c-bf6e6faaee08a6be', 'analysts/ana', '', '2026-11-19T21:01:21.966Z');
INSERT INTO renyi_ledger.entries VALUES (11, 'a94721d27522ff0eaf9d07e89800930a2ec9ec49fea13818c9f17c0cf8f47f32', '{"entry":11,"previous":"29835bda2b0658bd24a3d70eb05ac6822708a26cbcb73d8539f3d1fe22cbbf7e","time":"2026-11-19T21:01:21.987Z","request":{"verb":"scope","key":"auto-18e98e05c89903ff-c82-4d-bf6e6faaee08a6be","scope":"analysts/bob","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"zcdp","rho":0.125}},"outcome":{"accepted":true}}', 'auto-18e98e05c89903ff-c82-4d-bf6e6faaee08a6be', 'analysts/bob', '', '2026-11-19T21:01:21.987Z');
INSERT INTO renyi_ledger.entries VALUES (12, 'f0978fb24b4b7d097d39702f9101bc71cab76260f9502255dbcb798f798267ea', '{"entry":12,"previous":"a94721d27522ff0eaf9d07e89800930a2ec9ec49fea13818c9f17c0cf8f47f32","time":"2026-11-19T21:01:22.018Z","request":{"verb":"scope","key":"auto-18e98e05ca7f74c2-c82-4e-bf6e6faaee08a6be","scope":"visits","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"zcdp","rho":0.1},"block_rule":{"rule":"the month of the visit","unit_in_one_block":true,"block_is_fixed":false}},"outcome":{"accepted":true}}', 'auto-18e98e05ca7f74c2-c82-4e-bf6e6faaee08a6be', 'visits', '', '2026-11-19T21:01:22.018Z');
INSERT INTO renyi_ledger.entries VALUES (13, '5ca502501c1577f6c0ed426c9a86591f65d013b4d4fdd5cf54cc60a53a6ae2e2', '{"entry":13,"previous":"f0978fb24b4b7d097d39702f9101bc71cab76260f9502255dbcb798f798267ea","time":"2026-11-19T21:01:22.028Z","request":{"verb":"blocks","key":"auto-18e98e05cbc41efc-c82-4f-bf6e6faaee08a6be","scope":"visits","blocks":["2026-10","2026-11"]},"outcome":{"accepted":true}}', 'auto-18e98e05cbc41efc-c82-4f-bf6e6faaee08a6be', 'visits', '', '2026-11-19T21:01:22.028Z');
INSERT INTO renyi_ledger.entries VALUES (14, '6584ca430241b396a0fc491137d6f180f7fa9e7649104e841e4cf29ccc52b44c', '{"entry":14,"previous":"5ca502501c1577f6c0ed426c9a86591f65d013b4d4fdd5cf54cc60a53a6ae2e2","time":"2026-11-19T21:01:22.039Z","request":{"verb":"blocks","key":"auto-18e98e05cbea58ba-c82-50-bf6e6faaee08a6be","scope":"visits","blocks":["2026-12"]},"outcome":{"accepted":true}}', 'auto-18e98e05cbea58ba-c82-50-bf6e6faaee08a6be', 'visits', '', '2026-11-19T21:01:22.039Z');
INSERT INTO renyi_ledger.entries VALUES (15, '314833ed28d24e5efa98ba41ddcce9d5e1119d040baedbd6f620d98a35277801', '{"entry":15,"previous":"6584ca430241b396a0fc491137d6f180f7fa9e7649104e841e4cf29ccc52b44c","time":"2026-11-19T21:01:22.071Z","request":{"verb":"lower","key":"auto-18e98e05cdd949d7-c82-51-bf6e6faaee08a6be","scope":"clinic","budget":{"kind":"zcdp","rho":0.25}},"outcome":{"accepted":true}}', 'auto-18e98e05cdd949d7-c82-51-bf6e6faaee08a6be', 'clinic', '', '2026-11-19T21:01:22.071Z');
INSERT INTO renyi_ledger.entries VALUES (16, 'e24dadae14ad4b6b01a1755a99a283d2b295b764ebb297f9cf4f59792c776ef3', '{"entry":16,"previous":"314833ed28d24e5efa98ba41ddcce9d5e1119d040baedbd6f620d98a35277801","time":"2026-11-19T21:01:22.077Z","request":{"verb":"raise","key":"auto-18e98e05ce617d21-c82-52-bf6e6faaee08a6be","scope":"clinic","budget":{"kind":"zcdp","rho":0.75},"reason":"the board, in November"},"outcome":{"accepted":true}}', 'auto-18e98e05ce617d21-c82-52-bf6e6faaee08a6be', 'clinic', '', '2026-11-19T21:01:22.077Z');
INSERT INTO renyi_ledger.entries VALUES (17, '7898b533dbb3c9684a719f79d2434e2de83ceaf88e534753cc46e33b2dc3538c', '{"entry":17,"previous":"e24dadae14ad4b6b01a1755a99a283d2b295b764ebb297f9cf4f59792c776ef3","time":"2026-11-19T21:01:22.115Z","request":{"verb":"charge","key":"november","person":"ana","comment":"two counts","scope":"clinic","steps":[{"mechanism":"gaussian","noise_multiplier":4}],"count":2},"outcome":{"accepted":true}}', 'november', 'clinic', 'ana', '2026-11-19T21:01:22.115Z');
INSERT INTO renyi_ledger.entries VALUES (18, 'b6fc0920fca0800a69eec7cf3dc711894a5c99ab05ccd96b12d7473ec820470d', '{"entry":18,"previous":"7898b533dbb3c9684a719f79d2434e2de83ceaf88e534753cc46e33b2dc3538c","time":"2026-11-19T21:01:22.148Z","request":{"verb":"charge","key":"auto-18e98e05d2b99ae3-c82-53-bf6e6faaee08a6be","person":"bob","scope":"clinic/gdp","steps":[{"mechanism":"gaussian","noise_multiplier":8}]},"outcome":{"accepted":true}}', 'auto-18e98e05d2b99ae3-c82-53-bf6e6faaee08a6be', 'clinic/gdp', 'bob', '2026-11-19T21:01:22.148Z');
INSERT INTO renyi_ledger.entries VALUES (19, '9c858744d36cce1631ca840f9699b59bdca36ef67c2f436cba53c1dfa98e049c', '{"entry":19,"previous":"b6fc0920fca0800a69eec7cf3dc711894a5c99ab05ccd96b12d7473ec820470d","time":"2026-11-19T21:01:22.163Z","request":{"verb":"charge","key":"auto-18e98e05d3c82b4e-c82-54-bf6e6faaee08a6be","scope":"pure","steps":[{"mechanism":"laplace","scale":8}]},"outcome":{"accepted":true}}', 'auto-18e98e05d3c82b4e-c82-54-bf6e6faaee08a6be', 'pure', '', '2026-11-19T21:01:22.163Z');
INSERT INTO renyi_ledger.entries VALUES (20, '4dc74ebcbca8d7883d2f1288e0fb46c0728fd381caedc5d025f9c1138e184992', '{"entry":20,"previous":"9c858744d36cce1631ca840f9699b59bdca36ef67c2f436cba53c1dfa98e049c","time":"2026-11-19T21:01:22.190Z","request":{"verb":"charge","key":"auto-18e98e05d57072e9-c82-55-bf6e6faaee08a6be","scope":"tcdp","steps":[{"mechanism":"tcdp","rho":0.01,"omega":12}]},"outcome":{"accepted":true}}', 'auto-18e98e05d57072e9-c82-55-bf6e6faaee08a6be', 'tcdp', '', '2026-11-19T21:01:22.190Z');
INSERT INTO renyi_ledger.entries VALUES (21, '68c9bd2772167cb996e51fd2902537d4dee181baf749b0f3661c96a859ad130b', '{"entry":21,"previous":"4dc74ebcbca8d7883d2f1288e0fb46c0728fd381caedc5d025f9c1138e184992","time":"2026-11-19T21:01:22.194Z","request":{"verb":"charge","key":"auto-18e98e05d5a79678-c82-56-bf6e6faaee08a6be","scope":"approx","steps":[{"mechanism":"approx-dp","epsilon":0.25,"delta":1e-08}],"count":3},"outcome":{"accepted":true}}', 'auto-18e98e05d5a79678-c82-56-bf6e6faaee08a6be', 'approx', '', '2026-11-19T21:01:22.194Z');
INSERT INTO renyi_ledger.entries VALUES (22, 'cde03d528245fc8f3436e1b58b2a84df3e3241c4c03ddbbf21e024c21a6622b1', '{"entry":22,"previous":"68c9bd2772167cb996e51fd2902537d4dee181baf749b0f3661c96a859ad130b","time":"2026-11-19T21:01:22.197Z","request":{"verb":"charge","key":"auto-18e98e05d5c87444-c82-57-bf6e6faaee08a6be","scope":"training","steps":[{"mechanism":"sampled-gaussian","sampling_rate":0.01,"noise_multiplier":1.1}],"count":100},"outcome":{"accepted":true}}', 'auto-18e98e05d5c87444-c82-57-bf6e6faaee08a6be', 'training', '', '2026-11-19T21:01:22.197Z');
INSERT INTO renyi_ledger.entries VALUES (23, 'f5c74bab3d3a66a6b47e82304522301dae9eb03401901251d065c2ceefb419a7', '{"entry":23,"previous":"cde03d528245fc8f3436e1b58b2a84df3e3241c4c03ddbbf21e024c21a6622b1","time":"2026-11-19T21:01:22.199Z","request":{"verb":"charge","key":"auto-18e98e05d5f28367-c82-58-bf6e6faaee08a6be","scope":"order","steps":[{"mechanism":"sampled-gaussian","sampling_rate":0.01,"noise_multiplier":1.1}],"count":100},"outcome":{"accepted":true}}', 'auto-18e98e05d5f28367-c82-58-bf6e6faaee08a6be', 'order', '', '2026-11-19T21:01:22.199Z');
INSERT INTO renyi_ledger.entries VALUES (24, '76a74900af81cf410992d3282e63d0b2a3bf5f11300482c75d77109564adabdc', '{"entry":24,"previous":"f5c74bab3d3a66a6b47e82304522301dae9eb03401901251d065c2ceefb419a7","time":"2026-11-19T21:01:22.205Z","request":{"verb":"charge","key":"auto-18e98e05d6502af4-c82-59-bf6e6faaee08a6be","scope":"shares","steps":[{"mechanism":"sampled-gaussian","sampling_rate":0.01,"noise_multiplier":1.1}],"count":100},"outcome":{"accepted":true}}', 'auto-18e98e05d6502af4-c82-59-bf6e6faaee08a6be', 'shares', '', '2026-11-19T21:01:22.205Z');
INSERT INTO renyi_ledger.entries VALUES (25, 'f6ca89cf55e54f45e94ca7babe700ee4b48716bd8b67e6553f3513b617277dc6', '{"entry":25,"previous":"76a74900af81cf410992d3282e63d0b2a3bf5f11300482c75d77109564adabdc","time":"2026-11-19T21:01:22.206Z","request":{"verb":"charge","key":"auto-18e98e05d65f5c44-c82-5a-bf6e6faaee08a6be","person":"ana","scope":"analysts/ana","steps":[{"mechanism":"gaussian","noise_multiplier":4}]},"outcome":{"accepted":true,"note":"per analyst; void if answers are shared"}}', 'auto-18e98e05d65f5c44-c82-5a-bf6e6faaee08a6be', 'analysts/ana', 'ana', '2026-11-19T21:01:22.206Z');
INSERT INTO renyi_ledger.entries VALUES (26, 'd1c064e38a2468a59edf9191c078bf11bcf5161e5ecd32551dc1750b5a813770', '{"entry":26,"previous":"f6ca89cf55e54f45e94ca7babe700ee4b48716bd8b67e6553f3513b617277dc6","time":"2026-11-19T21:01:22.209Z","request":{"verb":"charge","key":"auto-18e98e05d68d2c06-c82-5b-bf6e6faaee08a6be","person":"bob","scope":"analysts/bob","steps":[{"mechanism":"gaussian","noise_multiplier":8}]},"outcome":{"accepted":true,"note":"per analyst; void if answers are shared"}}', 'auto-18e98e05d68d2c06-c82-5b-bf6e6faaee08a6be', 'analysts/bob', 'bob', '2026-11-19T21:01:22.209Z');
INSERT INTO renyi_ledger.entries VALUES (27, '1069ce9a2f5c168da5e45bbc3e645c50c95868f796cf6fb619a341471732e78f', '{"entry":27,"previous":"d1c064e38a2468a59edf9191c078bf11bcf5161e5ecd32551dc1750b5a813770","time":"2026-11-19T21:01:22.211Z","request":{"verb":"charge","key":"auto-18e98e05d6ac2039-c82-5c-bf6e6faaee08a6be","scope":"visits","steps":[{"mechanism":"zcdp","rho":0.0625}],"blocks":["2026-10"]},"outcome":{"accepted":true}}', 'auto-18e98e05d6ac2039-c82-5c-bf6e6faaee08a6be', 'visits', '', '2026-11-19T21:01:22.211Z');
INSERT INTO renyi_ledger.entries VALUES (28, '92243b6bb4c719a2b1b60527291d871129c2e69743f8ffd34b16173fc8e9d9b4', '{"entry":28,"previous":"1069ce9a2f5c168da5e45bbc3e645c50c95868f796cf6fb619a341471732e78f","time":"2026-11-19T21:01:22.213Z","request":{"verb":"charge","key":"auto-18e98e05d6b6d540-c82-5d-bf6e6faaee08a6be","scope":"visits","steps":[{"mechanism":"zcdp","rho":0.015625}]},"outcome":{"accepted":true}}', 'auto-18e98e05d6b6d540-c82-5d-bf6e6faaee08a6be', 'visits', '', '2026-11-19T21:01:22.213Z');
INSERT INTO renyi_ledger.entries VALUES (29, 'b93bbc583001d0738de5279569a28db0fa5ac065cd65ee0c99b95c3ce04a1408', '{"entry":29,"previous":"92243b6bb4c719a2b1b60527291d871129c2e69743f8ffd34b16173fc8e9d9b4","time":"2026-11-19T21:01:22.215Z","request":{"verb":"charge","key":"too much","scope":"clinic","steps":[{"mechanism":"gaussian","noise_multiplier":0.5}]},"outcome":{"accepted":false,"refused_by":"clinic","reason":"rho would be 2.07032, its limit is 0.75, and 0.679687 is left","left":[{"scope":"clinic","balances":[{"name":"rho","spent":0.07031250000000017,"limit":0.75,"left":0.6796874999999997}]}],"fitting_count":0,"fitting_step":{"parameter":"noise_multiplier","value":0.8577}}}', 'too much', 'clinic', '', '2026-11-19T21:01:22.215Z');
INSERT INTO renyi_ledger.entries VALUES (30, '9cbe09eb343972d5eb516813099fd5aae33a87e2ed7c78e621146c3a41378fb1', '{"entry":30,"previous":"b93bbc583001d0738de5279569a28db0fa5ac065cd65ee0c99b95c3ce04a1408","time":"2026-11-19T21:01:22.218Z","request":{"verb":"scope","key":"auto-18e98e05d71660bb-c82-5e-bf6e6faaee08a6be","scope":"reserved","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"zcdp","rho":0.5}},"outcome":{"accepted":true}}', 'auto-18e98e05d71660bb-c82-5e-bf6e6faaee08a6be', 'reserved', '', '2026-11-19T21:01:22.218Z');
INSERT INTO renyi_ledger.entries VALUES (31, '51953c412a49be3747c7a72b448dbed0d937986ad08ea2b8e5bcb4d5b33f77ad', '{"entry":31,"previous":"9cbe09eb343972d5eb516813099fd5aae33a87e2ed7c78e621146c3a41378fb1","time":"2026-11-19T21:01:22.219Z","request":{"verb":"reserve","key":"report","scope":"clinic","steps":[{"mechanism":"gaussian","noise_multiplier":4}],"expires_in":3600},"outcome":{"accepted":true,"secret_sha256":"92640b2cfa6cc66177ad28fa6d7e9fb989f147984f531808eebbe95b77e04b9c","expires":"2026-11-19T22:01:22.219Z"}}', 'report', 'clinic', '', '2026-11-19T21:01:22.219Z');
INSERT INTO renyi_ledger.entries VALUES (32, '93a2e2a73e03bd5b06270099743d3ed80fb8d2d48e8b9a45e8adbbfe021a63b3', '{"entry":32,"previous":"51953c412a49be3747c7a72b448dbed0d937986ad08ea2b8e5bcb4d5b33f77ad","time":"2026-11-19T21:01:22.223Z","request":{"verb":"open","key":"auto-18e98e05d7414975-c82-5f-bf6e6faaee08a6be","scope":"clinic","ticket":31},"outcome":{"accepted":true}}', 'auto-18e98e05d7414975-c82-5f-bf6e6faaee08a6be', 'clinic', '', '2026-11-19T21:01:22.223Z');
INSERT INTO renyi_ledger.entries VALUES (33, '86fccee45aa6329887c3245daf1149aae6d21e608f758481908c34eee522505c', '{"entry":33,"previous":"93a2e2a73e03bd5b06270099743d3ed80fb8d2d48e8b9a45e8adbbfe021a63b3","time":"2026-11-19T21:01:22.224Z","request":{"verb":"commit","key":"auto-18e98e05d77934cf-c82-60-bf6e6faaee08a6be","scope":"clinic","ticket":31,"output_sha256":"3eda4491e42679d541c8fa4fba548577b4c7d5e69390c9bd7cc2d760214ab390"},"outcome":{"accepted":true}}', 'auto-18e98e05d77934cf-c82-60-bf6e6faaee08a6be', 'clinic', '', '2026-11-19T21:01:22.224Z');
INSERT INTO renyi_ledger.entries VALUES (34, 'eeae1ee79782a995a174432d4a4a36b127c5c7826b3e850a6ba7d25d6d50b3b7', '{"entry":34,"previous":"86fccee45aa6329887c3245daf1149aae6d21e608f758481908c34eee522505c","time":"2026-11-19T21:01:22.226Z","request":{"verb":"reserve","key":"opened","scope":"clinic","steps":[{"mechanism":"gaussian","noise_multiplier":4}],"expires_in":3600},"outcome":{"accepted":true,"secret_sha256":"88b38f4cc643f096832d74e3a23f70ecd687b36d5add6b1dc00b5a8859da2e94","expires":"2026-11-19T22:01:22.227Z"}}', 'opened', 'clinic', '', '2026-11-19T21:01:22.226Z');
INSERT INTO renyi_ledger.entries VALUES (35, 'ff60a678b2db8f3841d396f4a775d6fd8680522274a5fed453cf0bb0597f39a3', '{"entry":35,"previous":"eeae1ee79782a995a174432d4a4a36b127c5c7826b3e850a6ba7d25d6d50b3b7","time":"2026-11-19T21:01:22.228Z","request":{"verb":"open","key":"auto-18e98e05d7a87028-c82-61-bf6e6faaee08a6be","scope":"clinic","ticket":34},"outcome":{"accepted":true}}', 'auto-18e98e05d7a87028-c82-61-bf6e6faaee08a6be', 'clinic', '', '2026-11-19T21:01:22.228Z');
INSERT INTO renyi_ledger.entries VALUES (36, '2f55fcfa04564fc0b1e1ddce364a60e232614abea8e65ea81a08ce86f493b5e8', '{"entry":36,"previous":"ff60a678b2db8f3841d396f4a775d6fd8680522274a5fed453cf0bb0597f39a3","time":"2026-11-19T21:01:22.230Z","request":{"verb":"reserve","key":"cancelled","scope":"clinic","steps":[{"mechanism":"gaussian","noise_multiplier":4}],"expires_in":3600},"outcome":{"accepted":true,"secret_sha256":"68a9d8c483c60b1e178c766d4b1464859504eaf96bd02dcf372acaaf9c00a804","expires":"2026-11-19T22:01:22.230Z"}}', 'cancelled', 'clinic', '', '2026-11-19T21:01:22.230Z');
INSERT INTO renyi_ledger.entries VALUES (37, '6042aab5f13924fe8eed5f4d3133a172a8dcbbe5f15482c69ad342c900e88f8c', '{"entry":37,"previous":"2f55fcfa04564fc0b1e1ddce364a60e232614abea8e65ea81a08ce86f493b5e8","time":"2026-11-19T21:01:22.235Z","request":{"verb":"cancel","key":"auto-18e98e05d7f97baa-c82-62-bf6e6faaee08a6be","scope":"clinic","ticket":36},"outcome":{"accepted":true}}', 'auto-18e98e05d7f97baa-c82-62-bf6e6faaee08a6be', 'clinic', '', '2026-11-19T21:01:22.235Z');
INSERT INTO renyi_ledger.entries VALUES (38, 'abdb42ac15c63ac430d9cf3c9dc918036e936d1bf56b861519b3a20aa8b5aed8', '{"entry":38,"previous":"6042aab5f13924fe8eed5f4d3133a172a8dcbbe5f15482c69ad342c900e88f8c","time":"2026-11-19T21:01:22.237Z","request":{"verb":"reserve","key":"expired","scope":"clinic","steps":[{"mechanism":"gaussian","noise_multiplier":4}],"expires_in":1},"outcome":{"accepted":true,"secret_sha256":"82edd7177fa5953f247fc5e05c0f1e004e8fd911a965f3fe2366feecdf39dab4","expires":"2026-11-19T21:01:23.237Z"}}', 'expired', 'clinic', '', '2026-11-19T21:01:22.237Z');
INSERT INTO renyi_ledger.entries VALUES (39, '1770fa9f96b0bab0ac6a874d75be17b23dd39ed40bdcede886e7e3a50b9a3b1f', '{"entry":39,"previous":"abdb42ac15c63ac430d9cf3c9dc918036e936d1bf56b861519b3a20aa8b5aed8","time":"2026-11-19T21:01:23.440Z","request":{"verb":"expire","scope":"clinic","ticket":38},"outcome":{"accepted":true}}', '', 'clinic', '', '2026-11-19T21:01:23.440Z');
INSERT INTO renyi_ledger.entries VALUES (40, 'fb0a7b62c1bbaf35e0475fa4dc66a84d008a74201a1da14071a9882d5d0d17c5', '{"entry":40,"previous":"1770fa9f96b0bab0ac6a874d75be17b23dd39ed40bdcede886e7e3a50b9a3b1f","time":"2026-11-19T21:01:23.444Z","request":{"verb":"reserve","key":"reserved","scope":"reserved","steps":[{"mechanism":"gaussian","noise_multiplier":4}],"expires_in":31622400},"outcome":{"accepted":true,"secret_sha256":"0f81e687506b3806bb8044e41a6449c59d0426c7362be028327a777ed561b349","expires":"2027-11-20T21:01:23.445Z"}}', 'reserved', 'reserved', '', '2026-11-19T21:01:23.444Z');
INSERT INTO renyi_ledger.facts VALUES ('place', 'postgresql:7709990623380438395/5/16392');
INSERT INTO renyi_ledger.facts VALUES ('ledger', '419660e72c38f717fe2f1deecd022883');
INSERT INTO renyi_ledger.facts VALUES ('made', '0');
INSERT INTO renyi_ledger.facts VALUES ('witness', 'postgresql://renyi@/postgres?host=/run/postgresql&schema=witness');
INSERT INTO renyi_ledger.outputs VALUES (31, '\x7b22766973697473223a313733317d');
INSERT INTO renyi_ledger.schema_version VALUES (1, '2026-11-19 21:01:21.629289+00');
INSERT INTO renyi_ledger.schema_version VALUES (2, '2026-11-19 21:01:21.629289+00');
INSERT INTO renyi_ledger.scopes VALUES ('clinic/gdp', 2, '{"verb":"scope","scope":"clinic/gdp","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"gdp","mu":0.5},"cap":{"kind":"gdp","mu":0.5},"may_cancel":false}');
INSERT INTO renyi_ledger.scopes VALUES ('pure', 3, '{"verb":"scope","scope":"pure","neighbors":"replace-one","unit":3,"budget":{"kind":"pure","epsilon":2},"cap":{"kind":"pure","epsilon":2}}');
INSERT INTO renyi_ledger.scopes VALUES ('tcdp', 4, '{"verb":"scope","scope":"tcdp","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"tcdp","rho":0.5,"omega":10},"cap":{"kind":"tcdp","rho":0.5,"omega":10}}');
INSERT INTO renyi_ledger.scopes VALUES ('approx', 5, '{"verb":"scope","scope":"approx","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"approx","epsilon":3,"delta":1e-06,"infinite_mass":1e-06},"cap":{"kind":"approx","epsilon":3,"delta":1e-06,"infinite_mass":1e-06}}');
INSERT INTO renyi_ledger.scopes VALUES ('training', 6, '{"verb":"scope","scope":"training","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"curve","limits":[{"order":1.25,"epsilon":0.01982001383719076},{"order":1.5,"epsilon":0.023886321429711595},{"order":2,"epsilon":0.03212752040132343},{"order":2.5,"epsilon":0.04051935234254254},{"order":3,"epsilon":0.049069472478799246},{"order":4,"epsilon":0.06667957865683383},{"order":5,"epsilon":0.08503949158332899},{"order":6,"epsilon":0.10425736368014772},{"order":8,"epsilon":0.14601758388021313},{"order":10,"epsilon":0.20189554325572223},{"order":12,"epsilon":10.346379844814559},{"order":14,"epsilon":207.0131829196524},{"order":16,"epsilon":424.9566819387197},{"order":20,"epsilon":854.2327598910895},{"order":24,"epsilon":1277.9902423141896},{"order":28,"epsilon":1698.6289775206699},{"order":32,"epsilon":2117.3541084211024},{"order":40,"epsilon":2951.4185367598143},{"order":48,"epsilon":3782.8895533614977},{"order":64,"epsilon":5442.00321657728},{"order":128,"epsilon":12062.782653741118},{"order":256,"epsilon":25290.473572532483},{"order":512,"epsilon":51739.01641834388},{"order":1024,"epsilon":104632.70601239108}]},"cap":{"kind":"curve","limits":[{"order":1.25,"epsilon":0.01982001383719076},{"order":1.5,"epsilon":0.023886321429711595},{"order":2,"epsilon":0.03212752040132343},{"order":2.5,"epsilon":0.04051935234254254},{"order":3,"epsilon":0.049069472478799246},{"order":4,"epsilon":0.06667957865683383},{"order":5,"epsilon":0.08503949158332899},{"order":6,"epsilon":0.10425736368014772},{"order":8,"epsilon":0.14601758388021313},{"order":10,"epsilon":0.20189554325572223},{"order":12,"epsilon":10.346379844814559},{"order":14,"epsilon":207.0131829196524},{"order":16,"epsilon":424.9566819387197},{"order":20,"epsilon":854.2327598910895},{"order":24,"epsilon":1277.9902423141896},{"order":28,"epsilon":1698.6289775206699},{"order":32,"epsilon":2117.3541084211024},{"order":40,"epsilon":2951.4185367598143},{"order":48,"epsilon":3782.8895533614977},{"order":64,"epsilon":5442.00321657728},{"order":128,"epsilon":12062.782653741118},{"order":256,"epsilon":25290.473572532483},{"order":512,"epsilon":51739.01641834388},{"order":1024,"epsilon":104632.70601239108}]}}');
INSERT INTO renyi_ledger.scopes VALUES ('order', 7, '{"verb":"scope","scope":"order","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"order","order":8,"epsilon":2},"cap":{"kind":"order","order":8,"epsilon":2}}');
INSERT INTO renyi_ledger.scopes VALUES ('shares', 8, '{"verb":"scope","scope":"shares","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"shares","epsilon":3,"shares":[{"order":4,"delta":4.999999999999996e-07},{"order":8,"delta":4.999999999999996e-07}]},"cap":{"kind":"shares","epsilon":3,"shares":[{"order":4,"delta":4.999999999999996e-07},{"order":8,"delta":4.999999999999996e-07}]}}');
INSERT INTO renyi_ledger.scopes VALUES ('analysts', 9, '{"verb":"scope","scope":"analysts","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"zcdp","rho":0.25},"cap":{"kind":"zcdp","rho":0.25},"analysts_may_collude":false}');
INSERT INTO renyi_ledger.scopes VALUES ('analysts/ana', 10, '{"verb":"scope","scope":"analysts/ana","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"zcdp","rho":0.25},"cap":{"kind":"zcdp","rho":0.25}}');
INSERT INTO renyi_ledger.scopes VALUES ('analysts/bob', 11, '{"verb":"scope","scope":"analysts/bob","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"zcdp","rho":0.125},"cap":{"kind":"zcdp","rho":0.125}}');
INSERT INTO renyi_ledger.scopes VALUES ('visits', 14, '{"verb":"scope","scope":"visits","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"zcdp","rho":0.1},"cap":{"kind":"zcdp","rho":0.1},"block_rule":{"rule":"the month of the visit","unit_in_one_block":true,"block_is_fixed":false},"blocks":["2026-10","2026-11","2026-12"]}');
INSERT INTO renyi_ledger.scopes VALUES ('clinic', 16, '{"verb":"scope","scope":"clinic","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"zcdp","rho":0.75},"cap":{"kind":"zcdp","rho":1}}');
INSERT INTO renyi_ledger.scopes VALUES ('reserved', 30, '{"verb":"scope","scope":"reserved","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"zcdp","rho":0.5},"cap":{"kind":"zcdp","rho":0.5}}');
INSERT INTO renyi_ledger.steps VALUES ('clinic', '|', '{"mechanism":"gaussian","noise_multiplier":8}', 1);
INSERT INTO renyi_ledger.steps VALUES ('clinic/gdp', '|', '{"mechanism":"gaussian","noise_multiplier":8}', 1);
INSERT INTO renyi_ledger.steps VALUES ('pure', '|', '{"mechanism":"laplace","scale":8}', 1);
INSERT INTO renyi_ledger.steps VALUES ('tcdp', '|', '{"mechanism":"tcdp","rho":0.01,"omega":12}', 1);
INSERT INTO renyi_ledger.steps VALUES ('approx', '|', '{"mechanism":"approx-dp","epsilon":0.25,"delta":1e-08}', 3);
INSERT INTO renyi_ledger.steps VALUES ('training', '|', '{"mechanism":"sampled-gaussian","sampling_rate":0.01,"noise_multiplier":1.1}', 100);
INSERT INTO renyi_ledger.steps VALUES ('order', '|', '{"mechanism":"sampled-gaussian","sampling_rate":0.01,"noise_multiplier":1.1}', 100);
INSERT INTO renyi_ledger.steps VALUES ('shares', '|', '{"mechanism":"sampled-gaussian","sampling_rate":0.01,"noise_multiplier":1.1}', 100);
INSERT INTO renyi_ledger.steps VALUES ('analysts', 'ana|', '{"mechanism":"gaussian","noise_multiplier":4}', 1);
INSERT INTO renyi_ledger.steps VALUES ('analysts/ana', '|', '{"mechanism":"gaussian","noise_multiplier":4}', 1);
INSERT INTO renyi_ledger.steps VALUES ('analysts', 'bob|', '{"mechanism":"gaussian","noise_multiplier":8}', 1);
INSERT INTO renyi_ledger.steps VALUES ('analysts/bob', '|', '{"mechanism":"gaussian","noise_multiplier":8}', 1);
INSERT INTO renyi_ledger.steps VALUES ('visits', '|2026-10', '{"mechanism":"zcdp","rho":0.0625}', 1);
INSERT INTO renyi_ledger.steps VALUES ('visits', '|*', '{"mechanism":"zcdp","rho":0.015625}', 1);
INSERT INTO renyi_ledger.steps VALUES ('clinic', '|', '{"mechanism":"gaussian","noise_multiplier":4}', 4);
INSERT INTO renyi_ledger.steps VALUES ('reserved', '|', '{"mechanism":"gaussian","noise_multiplier":4}', 1);
INSERT INTO renyi_ledger.tickets VALUES (31, 'committed', 33, 'clinic', '2026-11-19T22:01:22.219Z', '');
INSERT INTO renyi_ledger.tickets VALUES (34, 'opened', 35, 'clinic', '2026-11-19T22:01:22.227Z', '');
INSERT INTO renyi_ledger.tickets VALUES (36, 'cancelled', 37, 'clinic', '2026-11-19T22:01:22.230Z', '');
INSERT INTO renyi_ledger.tickets VALUES (38, 'expired', 39, 'clinic', '2026-11-19T21:01:23.237Z', '');
INSERT INTO renyi_ledger.tickets VALUES (40, 'reserved', 40, 'reserved', '2027-11-20T21:01:23.445Z', 'beea50dd07c65288297348a7af93dda8');
INSERT INTO witness.witnessed VALUES ('419660e72c38f717fe2f1deecd022883', 40, 'fb0a7b62c1bbaf35e0475fa4dc66a84d008a74201a1da14071a9882d5d0d17c5');
ALTER TABLE ONLY renyi_ledger.cells
    ADD CONSTRAINT cells_pkey PRIMARY KEY (scope, cell);
ALTER TABLE ONLY renyi_ledger.entries
    ADD CONSTRAINT entries_pkey PRIMARY KEY (entry);
ALTER TABLE ONLY renyi_ledger.facts
    ADD CONSTRAINT facts_pkey PRIMARY KEY (name);
ALTER TABLE ONLY renyi_ledger.outputs
    ADD CONSTRAINT outputs_pkey PRIMARY KEY (ticket);
ALTER TABLE ONLY renyi_ledger.schema_version
    ADD CONSTRAINT schema_version_pkey PRIMARY KEY (version);
ALTER TABLE ONLY renyi_ledger.scopes
    ADD CONSTRAINT scopes_pkey PRIMARY KEY (name);
ALTER TABLE ONLY renyi_ledger.steps
    ADD CONSTRAINT steps_pkey PRIMARY KEY (scope, cell, step);
ALTER TABLE ONLY renyi_ledger.tickets
    ADD CONSTRAINT tickets_pkey PRIMARY KEY (ticket);
ALTER TABLE ONLY witness.witnessed
    ADD CONSTRAINT witnessed_pkey PRIMARY KEY (ledger);
CREATE UNIQUE INDEX entries_by_key ON renyi_ledger.entries USING btree (key) WHERE (key <> ''::text);
CREATE INDEX scopes_by_entry ON renyi_ledger.scopes USING btree (entry);
CREATE INDEX tickets_by_expiry ON renyi_ledger.tickets USING btree (expires, ticket) WHERE (state = 'reserved'::text);
CREATE TRIGGER continue_log AFTER INSERT ON renyi_ledger.entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION renyi_ledger.continue_log();
CREATE TRIGGER refuse_rewriting BEFORE DELETE OR UPDATE OR TRUNCATE ON renyi_ledger.entries FOR EACH STATEMENT EXECUTE FUNCTION renyi_ledger.refuse_rewriting();
CREATE TRIGGER refuse_rewriting BEFORE DELETE OR UPDATE OR TRUNCATE ON renyi_ledger.outputs FOR EACH STATEMENT EXECUTE FUNCTION renyi_ledger.refuse_rewriting();
