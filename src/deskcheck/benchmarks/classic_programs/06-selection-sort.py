# call: selection_sort(['ltn', 'rgcgd'])
# call: selection_sort(['wjib', 'kr', 'ae'])
# call: selection_sort(['jwpog', 'lb', 'wurmh', 'sf'])
# call: selection_sort(['kvpm', 'lw', 'rf', 'co', 'cp', 'beao'])
# call: selection_sort(['pvt', 'aifpp', 'etw', 'ea', 'vjli', 'ljb', 'mpo', 'nll', 'bjil'])
# call: selection_sort(['gnh', 'bc', 'kiobs', 'dcmbe', 'tjiak', 'pmpe', 'ngr', 'smlbc', 'ivwdu', 'emuj', 'sja', 'jphhs', 'aioo'])
# call: selection_sort(['gbvw', 'oaucf', 'bstv', 'emeu', 'tfs', 'utsju', 'gtlav', 'alo', 'jrclo', 'akugf', 'ughop', 'kowb', 'kn', 'amvnn', 'pi', 'nvf', 'lg', 'anlb'])
# call: selection_sort(['pa', 'dabfn', 'vrro', 'lmjhw', 'cdwsv', 'cifcw', 'egkbv', 'kasjg', 'dgt', 'rhl', 'nucl', 'ibpiv', 'uwvwo', 'cgki', 'dvrhd', 'lmaoc', 'ov', 'jce', 'ookcs', 'otb', 'hsda', 'lsaf', 'gaf', 'jgad', 'gewot', 'hib'])
# call: selection_sort(['pe', 'css', 'timh', 'piu', 'shc', 'plbmg', 'jhk', 'cjtg', 'bn', 'lawwn', 'acn', 'oaifk', 'tdr', 'cktco', 'rv', 'ki', 'bu', 'fdf', 'sokt', 'iwulv', 'pme', 'ir', 'ga', 'pgg', 'os', 'okd', 'uwns', 'cmofi', 'hpb', 'oes', 'fistp', 'fflru', 'jp', 'vu', 'ssgbk', 'dhrh', 'tpij', 'hvwo'])
# call: selection_sort(['jnto', 'lpj', 'eeuhu', 'knes', 'omlhi', 'bf', 'wv', 'djv', 'bpsp', 'ntgk', 'ke', 'dovfd', 'flp', 'ujrrl', 'pn', 'whu', 'icao', 'krfl', 'bshv', 'few', 'kkb', 'irm', 'odj', 'pfa', 'tbenh', 'ft', 'ga', 'bw', 'iela', 'nrbg', 'ab', 'tes', 'hwvgw', 'mwa', 'ila', 'sl', 'kkwfg', 'khm', 'llerd', 'kbb', 'csnm', 'ck', 'te', 'ht', 'eho', 'tih', 'we', 'pnmrj', 'ro', 'wopun', 'rmw', 'ww', 'ouj'])
def selection_sort(words):
    for start in range(len(words) - 1):
        smallest = start
        for j in range(start + 1, len(words)):
            if words[j] < words[smallest]:
                smallest = j
        if smallest != start:
            words[start], words[smallest] = words[smallest], words[start]
    return words
